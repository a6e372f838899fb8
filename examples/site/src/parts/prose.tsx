import { astToJSX, type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react'
import type { Prose as Nodes } from '../content/markdown.ts'
import type { Site } from '../content/site.ts'
import { Figure } from './figure.tsx'
import type { PictureComponent } from './picture.ts'

export interface ProseProps {
  nodes: Nodes
  site: Site
  Picture: PictureComponent
}

/** Renders a parsed text. An image that is alone in its paragraph becomes a figure with a caption. */
export function Prose({ nodes, site, Picture }: ProseProps) {
  return astToJSX(nodes as MarkdownToJSX.ASTNode[], {
    wrapper: null,
    renderRule(next, node, _, state) {
      const image = node.type === RuleType.paragraph && node.children.length === 1 ? node.children[0] : undefined
      const photograph = image?.type === RuleType.image ? site.photographs.get(image.target ?? '') : undefined
      if (image?.type !== RuleType.image || !photograph) return next()
      const captioned = image.alt ? { ...photograph, alt: image.alt } : photograph
      return (
        <Figure
          key={state.key}
          site={site}
          photograph={captioned}
          Picture={Picture}
          layout="inline"
          remark={image.title}
        />
      )
    },
  })
}
