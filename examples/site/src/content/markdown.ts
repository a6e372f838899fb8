import { type MarkdownToJSX, parser, RuleType } from 'markdown-to-jsx/react'
import { parseYaml } from './source.ts'

/** A parsed text, which parts/prose.tsx renders. Parsed when the content is loaded, not at each request. */
export type Prose = readonly MarkdownToJSX.ASTNode[]

export interface MarkdownFile {
  /** The parsed front matter, not yet checked. */
  frontMatter: unknown
  prose: Prose
  /** The text as it is written, without its front matter. */
  source: string
  words: number
}

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/

export function parseMarkdown(file: string, text: string): MarkdownFile {
  const [whole = '', yaml = ''] = frontMatter.exec(text) ?? []
  const body = text.slice(whole.length)
  return {
    frontMatter: parseYaml(file, yaml),
    prose: parser(body, { disableFrontmatter: true }),
    source: body.trim(),
    words: body.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length,
  }
}

/** Returns the images of a text, in order. */
export function findImages(prose: Prose): string[] {
  return prose.flatMap((node) => {
    if (node.type === RuleType.image) return [node.target ?? '']
    return 'children' in node && Array.isArray(node.children) ? findImages(node.children as Prose) : []
  })
}
