/** The formats that schemas name for texts, each with its check. Only a published time may have an offset. */
export const formats = {
  'date-time': (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  date: (value: string) => /^\d{4}-\d\d-\d\d$/.test(value),
} as const;
