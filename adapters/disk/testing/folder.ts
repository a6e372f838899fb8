import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Creates a temporary directory with files in it. It is removed with the temporary directory of the run. */
export const folderWith = async (files: Record<string, Uint8Array | string> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sitewright-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
