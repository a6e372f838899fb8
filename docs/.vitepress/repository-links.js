// How links between pages of this site begin, and those to other sites.
const isPage = /^(?:[a-z]+:|\/|#|\.\/)/i

/**
 * A plugin of markdown-it. Some pages include a README of the repository, whose links to other files of the repository lead
 * nowhere in the built site: their text stays, as it is.
 *
 * @param {import('markdown-it')} markdown
 */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    if (env.relativePath?.startsWith('reference/')) return // typedoc's own links
    for (const { children } of tokens) {
      let isRepository = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') isRepository = !isPage.test(token.attrGet('href') ?? '')
        if (!isRepository || !token.type.startsWith('link_')) continue
        if (token.type === 'link_close') isRepository = false
        Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '' })
      }
    }
  })
}
