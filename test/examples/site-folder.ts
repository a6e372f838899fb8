import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Copies the files of the example site to a separate folder, where a test may publish. */
export async function copySite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sitewright-site-'))
  for (const part of ['card', 'content', 'media', 'public']) {
    await cp(new URL(`../../examples/site/${part}`, import.meta.url), join(folder, part), { recursive: true })
  }
  return folder
}
