import { type MarkdownToJSX, parser, RuleType } from 'markdown-to-jsx/react'
import { parseYaml } from './source.ts'

/** A parsed text; parts/prose.tsx shows it. Parsed once at start, not with each request. */
export type Prose = readonly MarkdownToJSX.ASTNode[]

export interface MarkdownFile {
  /** The front matter, parsed and not yet checked. */
  frontMatter: unknown
  prose: Prose
  words: number
}

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/

export function parseMarkdown(file: string, text: string): MarkdownFile {
  const [whole = '', yaml = ''] = frontMatter.exec(text) ?? []
  const body = text.slice(whole.length)
  return {
    frontMatter: parseYaml(file, yaml),
    prose: parser(body, { disableFrontmatter: true }),
    words: body.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length,
  }
}

/** The pictures that a text shows, in their order. */
export function picturesIn(prose: Prose): string[] {
  return prose.flatMap((node) => {
    if (node.type === RuleType.image) return [node.target ?? '']
    return 'children' in node && Array.isArray(node.children) ? picturesIn(node.children as Prose) : []
  })
}
