import { readFileSync } from 'node:fs'

const figures = new URL('../public/figures/', import.meta.url)

/**
 * A plugin of markdown-it. A picture whose name ends in `-light` is shown with its `-dark` twin, by the theme of the page. A drawing
 * is put into the page, so that it has the page's fonts and colors: theme/style.css has them in place of its own style.
 *
 * @param {import('markdown-it')} markdown
 */
export function pictures(markdown) {
  const { image } = markdown.renderer.rules
  markdown.renderer.rules.image = (tokens, index, ...rest) => {
    const token = tokens[index]
    const src = token.attrGet('src') ?? ''
    if (src.endsWith('.svg')) return drawing(src, markdown.utils.escapeHtml(token.content))
    token.attrSet('loading', 'lazy')
    if (!src.endsWith('-light.webp')) return image(tokens, index, ...rest)
    const show = (scheme) => {
      token.attrSet('src', src.replace('-light.', `-${scheme}.`))
      token.attrSet('class', `only-${scheme}`)
      return image(tokens, index, ...rest)
    }
    return show('light') + show('dark')
  }
}

function drawing(src, alt) {
  const name = src.slice(src.lastIndexOf('/') + 1)
  const svg = readFileSync(new URL(name, figures), 'utf8')
  const shapes = svg.replace(/<style>.*?<\/style>|<title>.*?<\/title>|\n/gs, '')
  return shapes.replace('role="img"', `role="img" aria-label="${alt}" class="drawing" v-pre`)
}
