import { readdirSync, readFileSync } from 'node:fs'

/** The root of the repository. */
export const root = new URL('../../', import.meta.url)
const folders = ['docs/', 'docs/start/', 'docs/guide/', 'docs/migrate/']
const isPage = (file: string) => file.endsWith('.md')

/** Every written page of the documentation, and the README, as paths from the root. */
export const pages: string[] = [
  'README.md',
  ...folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter(isPage)
      .map((file) => folder + file),
  ),
]

/** A file by its path from the root: `%` is a character of it, as in the folders of Next.js. */
export const fileUrl = (path: string): URL => new URL(path.replaceAll('%', '%25'), root)

export const read = (path: string): string => readFileSync(fileUrl(path), 'utf8')

/** A code block of a page: its language, and the file that it names. */
export interface Block {
  language: string
  file: string | undefined
  code: string
}

/** Returns the code blocks of a page: ```ts docs/snippets/cache.ts */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language = '', file, code = '']) => ({
    language,
    file,
    code,
  }))
}

/** Returns the files that a page includes as code: <<< @/snippets/cache.ts [cache.ts] */
export function includesOf(markdown: string): string[] {
  return [...markdown.matchAll(/^<<< @\/(\S+)/gm)].map(([, file]) => `docs/${file}`)
}
