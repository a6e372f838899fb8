import { inject } from 'vitest'

/** Returns the origin of an example with its styleguide on and all other defaults. All files of the run share it. */
export async function exampleUrl(name: string): Promise<string> {
  const response = await fetch(`${inject('examples')}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
