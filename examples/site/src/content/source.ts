import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ContentError } from './content-error.ts'

/** Reads a text file below the site's folder. `file` is its relative path, which messages name. */
export async function readText(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8')
  } catch {
    throw new ContentError(file, 'file', `cannot be read in ${folder}`)
  }
}

export function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new ContentError(file, 'YAML', error instanceof Error ? error.message : String(error))
  }
}
