import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type EvaluateOptions, evaluate } from '@mdx-js/mdx'
import type { ComponentType, ReactElement } from 'react'
import * as runtime from 'react/jsx-runtime'
import { type StyleguideNode, slugify } from '../../core/styleguide/index.js'
import { readFrontMatter } from './front-matter.js'
import { headingIds, takeTitle } from './headings.js'
import { compileError } from './placed-error.js'

/** What a page shows, as a React component. In MDX its props are those of the page: `{props.page.title}`. */
export type MarkdownContent = (props: object) => ReactElement

export interface MarkdownPage extends StyleguideNode<MarkdownContent> {
  /** The page's place among its siblings, if it says one. */
  order?: number | undefined
}

export interface MarkdownOptions {
  /** Components that MDX may use without importing them, by name: `{ Swatch }`; and those in place of HTML: `{ a: Link }`. */
  components?: Readonly<Record<string, ComponentType<never> | string>> | undefined
  /** Further plugins for Markdown, such as `remark-gfm` for tables. */
  remarkPlugins?: EvaluateOptions['remarkPlugins'] | undefined
  /** Further plugins for HTML. They see the headings' ids. */
  rehypePlugins?: EvaluateOptions['rehypePlugins'] | undefined
}

/**
 * Makes a page of the styleguide out of Markdown or MDX. Its title is that of the front matter, else its first heading of
 * depth 1, else the file's name; its path that of the front matter, else the file's name; a number before the name
 * (`01-colors.md`) is its order. Headings get ids.
 *
 * MDX is code, and runs with all that the server may do: read pages of people whom you trust, and not on a runtime
 * without `eval`. Raw HTML in `.md` is left out, since nothing parses it; write `.mdx` to have it.
 *
 * @param file The file that the source is of, for its name and format, for errors and for what it imports.
 * @throws Error that names file, line, column and reason.
 * @example
 * const page = await markdownPage('# Colors\n\n<Swatch color="red" />', 'pages/01-colors.mdx', { components: { Swatch } })
 * // { title: 'Colors', path: 'colors', order: 1, content: [Function] }
 */
export async function markdownPage(source: string, file: string, options?: MarkdownOptions): Promise<MarkdownPage> {
  return compilePage(source, file, nameOf(file), options)
}

/** A page that is called so if it does not say itself. */
export async function compilePage(
  source: string,
  file: string,
  name: PageName,
  { components, remarkPlugins, rehypePlugins }: MarkdownOptions = {},
): Promise<MarkdownPage> {
  const { frontMatter, body } = readFrontMatter(source, file)
  const page: MarkdownPage = { ...name, ...frontMatter }
  const title = takeTitle(frontMatter.title, (title) => {
    page.title = title
  })
  try {
    const { default: Content } = await evaluate(
      { value: body, path: file },
      {
        ...runtime,
        format: isMdx(file) ? 'mdx' : 'md',
        baseUrl: pathToFileURL(resolve(file)),
        remarkPlugins: [title, ...(remarkPlugins ?? [])],
        rehypePlugins: [headingIds, ...(rehypePlugins ?? [])],
      },
    )
    page.content = (props) => runtime.jsx(Content, { ...props, components })
    return page
  } catch (error) {
    throw compileError(file, error)
  }
}

/** What the name of a file or folder says of its page. */
export interface PageName {
  title: string
  path: string
  order?: number
}

/** @example nameOf('pages/02-type-scale.md') // { title: 'Type scale', path: 'type-scale', order: 2 } */
export function nameOf(file: string): PageName {
  const name = basename(resolve(file)).replace(/\.mdx?$/i, '')
  const [, number, rest = name] = /^(\d+)[-_. ]+(.+)$/.exec(name) ?? []
  const words = rest.replace(/[-_]+/g, ' ').trim() || rest
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  return { title, path: slugify(rest) || rest, ...(number && { order: Number(number) }) }
}

function isMdx(file: string): boolean {
  return /\.mdx$/i.test(file)
}
