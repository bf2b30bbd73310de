/** The version of the payload shapes, as `meta.schemaVersion` states it. */
export const schemaVersion = '1.0.0';
