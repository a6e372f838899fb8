/**
 * A plugin of markdown-it. A picture whose name ends in `-light` is shown with its `-dark` twin, by the theme of the page. A drawing
 * follows the theme by itself: in an image, `prefers-color-scheme` is the `color-scheme` of the page.
 *
 * @param {import('markdown-it')} markdown
 */
export function pictures(markdown) {
  const { image } = markdown.renderer.rules
  markdown.renderer.rules.image = (tokens, index, ...rest) => {
    const token = tokens[index]
    const src = token.attrGet('src') ?? ''
    token.attrSet('loading', 'lazy')
    if (src.endsWith('.svg')) token.attrSet('class', 'drawing')
    if (!src.endsWith('-light.webp')) return image(tokens, index, ...rest)
    const show = (scheme) => {
      token.attrSet('src', src.replace('-light.', `-${scheme}.`))
      token.attrSet('class', `only-${scheme}`)
      return image(tokens, index, ...rest)
    }
    return show('light') + show('dark')
  }
}
