/**
 * Makes sure that a port is free before several fronts share it. A listener that shares its port would also bind one
 * that another sharing service of the same user has, and take half of its connections unnoticed.
 */

/**
 * Takes the port exclusively, and releases it. Port 0 lets the system choose.
 * @returns the port
 * @throws the system's error if it is not available
 */
export async function freePort(port: number, hostname: string): Promise<number> {
  const alone = Bun.serve({
    port,
    hostname,
    reusePort: false,
    fetch: () => new Response(null, { status: 503 }),
  });
  const { port: chosen = port } = alone;
  await alone.stop(true);
  return chosen;
}
