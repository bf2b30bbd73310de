/** Limits of the picture. */

/** Companies in one picture. */
export const companiesMax = 1_000;
/** Companies of each kind that are shown below one when it is opened, and how many each further press adds. */
export const firstShown = { tree: 20, outline: 6 } as const;
export const shownStep = 100;
/** Rows of companies above the company. */
export const rowsAboveMax = 10;
/** Companies that are drawn between two turns of the browser's event loop. */
export const drawnAtOnce = 40;
/** Longest side and area of a saved image, in pixels: what every browser's canvas supports, on phones too. */
export const imageSideMax = 8_192;
export const imageAreaMax = 16_000_000;
