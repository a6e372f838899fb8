/**
 * Compares two strings in a time that depends on the length of `expected` only, so that the delay of a response does not
 * reveal how many characters of a guess were right.
 */
export function constantTimeEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    // Past the end of `given`, charCodeAt gives NaN, which `^` takes as 0: the length already counts as a difference.
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  }
  return difference === 0
}
