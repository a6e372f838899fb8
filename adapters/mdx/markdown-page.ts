import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type EvaluateOptions, evaluate } from '@mdx-js/mdx'
import type { ComponentType, ReactElement } from 'react'
import * as runtime from 'react/jsx-runtime'
import { optionError } from '../../core/option-error.js'
import type { StyleguideNode } from '../../core/styleguide/index.js'
import { slugify } from '../../core/styleguide/internal.js'
import { compileError, parseFrontMatter } from './front-matter.js'
import { linkedComponents } from './links.js'
import { addHeadingIds, removeTitle, removeUnsafeLinks, warnOfUnparsed } from './plugins.js'

/** The content of a page, as a React component. MDX can use its props: `{props.page.title}`. */
export type MarkdownContent = (props: object) => ReactElement

export interface MarkdownPage extends StyleguideNode<MarkdownContent> {
  /** Position among its siblings, if the page has one. */
  order?: number | undefined
}

/**
 * A remark or rehype plugin, a plugin with its options, or a preset. Defined here because the types of `@mdx-js/mdx` do
 * not compile with React 19 unless `skipLibCheck` is on.
 */
export type MarkdownPlugin = Plugin | readonly [plugin: Plugin, ...options: unknown[]] | MarkdownPreset

// biome-ignore lint/suspicious/noExplicitAny: each plugin has its own types
type Plugin = (this: any, ...options: any[]) => any

interface MarkdownPreset {
  plugins?: readonly MarkdownPlugin[] | undefined
  settings?: object | undefined
}

export interface MarkdownOptions {
  /** Components that MDX can use without an import (`{ Swatch }`), or that replace HTML elements (`{ a: Link }`). */
  components?: Readonly<Record<string, ComponentType<never> | string>> | undefined
  /** Further remark plugins, such as `remark-gfm` for tables. */
  remarkPlugins?: readonly MarkdownPlugin[] | undefined
  /** Further rehype plugins. They run after the headings have received their ids. */
  rehypePlugins?: readonly MarkdownPlugin[] | undefined
}

/**
 * Compiles Markdown or MDX into a styleguide page. The title comes from the front matter, else from the first heading
 * of depth 1, else from the file name. The path comes from the front matter, else from the file name. A number before
 * the name sets the order (`01-colors.md`) if it has at most two digits or begins with a zero; in `404-page.md` and
 * `2024-03-notes.md`, it stays part of the name. Headings get ids.
 *
 * MDX is code and runs with all the server's permissions, so compile only pages by authors you trust. This function
 * needs a runtime with `eval`.
 *
 * Raw HTML in `.md` is dropped, because nothing parses it. Tables and task lists stay text unless `remark-gfm` is among
 * the plugins. In development, a warning names each of these. Links that run code, such as `javascript:` links, are
 * dropped in both formats, except in JSX.
 *
 * @param file Path of the source. It determines the name and format, appears in errors, and is used to resolve imports.
 * @throws Error that names the file, line, column and reason.
 * @example
 * const page = await markdownPage('# Colors\n\n<Swatch color="red" />', '01-colors.mdx', { components: { Swatch } })
 * // { title: 'Colors', path: 'colors', order: 1, content: [Function] }
 */
export async function markdownPage(source: string, file: string, options?: MarkdownOptions): Promise<MarkdownPage> {
  if (typeof source !== 'string') throw optionError('source', 'Markdown as text', source)
  if (typeof file !== 'string') throw optionError('file', 'the path of the source', file)
  return compilePage(source, file, pageNameOf(file), options)
}

/** Compiles a page with a given name, unless its front matter or heading sets another. */
export async function compilePage(
  source: string,
  file: string,
  name: PageName,
  { components, remarkPlugins = [], rehypePlugins = [] }: MarkdownOptions = {},
  contents = new Map<string, unknown>(),
): Promise<MarkdownPage> {
  const { frontMatter, body } = parseFrontMatter(source, file)
  const page: MarkdownPage = { ...name, ...frontMatter, text: plainText(body) }
  const titlePlugin = removeTitle(frontMatter.title, (title) => {
    page.title = title
  })
  const baseUrl = pathToFileURL(resolve(file))
  try {
    const { default: Content } = await evaluate(
      { value: body, path: file },
      {
        ...runtime,
        format: /\.mdx$/i.test(file) ? 'mdx' : 'md',
        baseUrl,
        remarkPlugins: [titlePlugin, ...(remarkPlugins as Plugins), warnOfUnparsed(body, file)],
        rehypePlugins: [addHeadingIds, ...(rehypePlugins as Plugins), removeUnsafeLinks],
      },
    )
    page.content = (props) =>
      runtime.jsx(Content, { ...props, components: linkedComponents(file, contents, props, components) })
    contents.set(baseUrl.href, page.content)
    return page
  } catch (error) {
    throw compileError(file, error)
  }
}

/** Returns a source without its markup, for the search. */
function plainText(source: string): string {
  return source
    .replace(/^(?:(?:import|export)|#)\s.*$/gm, ' ')
    .replace(/^#+\s.*\w$/gm, '$&.')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\]\([^()]*\)/g, ' ')
    .replace(/[#*_`>|\s]+/g, ' ')
    .trim()
    .slice(0, 2_000)
}

type Plugins = NonNullable<EvaluateOptions['remarkPlugins']>

/** Title, path and order of a page, from the name of its file or folder. */
export interface PageName {
  title: string
  path: string
  order?: number
}

/**
 * Derives the name of a page from its file or folder.
 *
 * @example pageNameOf('pages/02-type-scale.md') // { title: 'Type scale', path: 'type-scale', order: 2 }
 */
export function pageNameOf(file: string): PageName {
  const name = basename(resolve(file)).replace(/\.mdx?$/i, '')
  const [, number, nameWithoutNumber = name] = /^(\d{1,2}|0\d+)[-_. ]+(.+)$/s.exec(name) ?? []
  const words = nameWithoutNumber.replace(/[-_]+/g, ' ').trim() || nameWithoutNumber
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  return { title, path: slugify(nameWithoutNumber) || nameWithoutNumber, ...(number && { order: Number(number) }) }
}
