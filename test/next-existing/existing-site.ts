import { execFileSync } from 'node:child_process'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { addPicture, run } from '../../cli/testing/project.js'
import { stepLines } from '../../cli/testing/server.js'
import { installPackage } from '../next-site/site.js'

// A site that was there before, to which `init` and the steps that it prints add this package. Its packages are not bundled.

/** Replaces a part of a file. */
export async function edit(path: string, pattern: RegExp | string, text: string): Promise<void> {
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(pattern, () => text),
  )
}

/** Writes the site as it was before. */
export async function writeExistingSite(folder: string, version: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await cp(join(import.meta.dirname, 'site'), folder, { recursive: true })
  if (version === '15') {
    await rename(join(folder, 'proxy.js'), join(folder, 'middleware.js'))
    await edit(join(folder, 'middleware.js'), 'function proxy', 'function middleware')
  }
  addPicture(folder, 'public/media/cat.jpg')
}

/** Adds this package, and does what `init` prints, except for the page with a picture. Returns what it printed. */
export async function addPackage(folder: string, version: string): Promise<string> {
  await installPackage(folder)
  const proxy = version === '15' ? 'middleware.js' : 'proxy.js'
  const printed = run(folder, ['init', '--yes']).stdout
  const [move = ''] = stepLines(printed, 'app/layout.jsx')
  execFileSync('sh', ['-c', move], { cwd: folder })
  await writeFile(join(folder, 'app/global-not-found.jsx'), stepLines(printed, 'app/global-not-found.jsx').join('\n'))
  await edit(join(folder, 'next.config.js'), 'experimental: {', 'experimental: { globalNotFound: true,')
  expect(run(folder, ['init', '--yes']).stdout).toContain('+ app/styleguide/layout.jsx')
  const lines = stepLines(printed, 'next.config.js').join('\n')
  await edit(join(folder, 'next.config.js'), '\n}', `\n  ${lines}\n}`)
  await edit(join(folder, proxy), /'\/\(.*/, stepLines(printed, proxy).join('\n'))
  return printed
}
