import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addPicture } from '../../cli/testing/project.js'
import { installPackage } from '../next-site/site.js'

// A site with `pages/` alone, with `basePath`, `trailingSlash` and `i18n`.

/** Writes the site as it was before this package. */
export async function writePagesSite(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await cp(join(import.meta.dirname, 'pages-only'), folder, { recursive: true })
  await mkdir(join(folder, 'public/media'), { recursive: true })
  addPicture(folder, 'public/media/cat.jpg')
}

/** Adds this package, as its guide says. */
export async function addPackage(folder: string): Promise<void> {
  await cp(join(import.meta.dirname, 'added'), folder, { recursive: true })
  await configure(folder, "images: { loader: 'custom', loaderFile: './image-loader.js' }")
  await installPackage(folder)
}

/** Writes a line into the configuration. */
export async function configure(folder: string, line: string): Promise<void> {
  const config = join(folder, 'next.config.mjs')
  await writeFile(config, (await readFile(config, 'utf8')).replace(/}\s*$/, `  ${line},\n}\n`))
}
