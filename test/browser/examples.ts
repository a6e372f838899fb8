import { inject } from 'vitest'

/** Origin of an example with its styleguide on, and else with its defaults; all files of the run share it. */
export async function exampleUrl(name: string): Promise<string> {
  const response = await fetch(`${inject('examples')}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
