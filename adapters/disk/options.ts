/** @throws TypeError when it is no directory's name. */
export function checkDirectory(directory: string): string {
  if (typeof directory === 'string' && directory) return directory
  throw new TypeError(`directory: ${directory} is none; write the path of a folder, such as '.cache/pages'`)
}

/** @throws TypeError that names the option when it is no whole number from 1 on. */
export function checkCount(name: string, value: number, example: string): void {
  if (Number.isSafeInteger(value) && value >= 1) return
  throw new TypeError(`${name}: ${value} is no bound; write a whole number from 1 on, such as ${example}`)
}
