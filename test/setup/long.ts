/** Whether tests that search by chance or measure memory run in their long form: `npm run test:long`, or LONG=1. */
export const isLong = Boolean(process.env.LONG)

/** Picks a number of rounds, seconds or requests: the first by default, the second in the long form. */
export const short = (value: number, long: number): number => (isLong ? long : value)
