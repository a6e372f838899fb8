/**
 * Number of rounds of a test that searches by chance: `npm test` has `count`, and `ROUNDS=100` a hundred times as many.
 */
export const rounds = (count: number): number => Math.round(count * Number(process.env.ROUNDS ?? 1))
