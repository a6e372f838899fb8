/**
 * Formats a number of bytes for people, in kB of 1,000 bytes or MB, with one decimal below 100.
 *
 * @example formatBytes(48_213) // '48.2 kB'
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [amount, unit] = bytes < 999_950 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${amount.toFixed(amount < 99.95 ? 1 : 0)} ${unit}`
}
