/**
 * A plugin of markdown-it. Some pages include a README of the repository, whose links to other files of the repository lead
 * nowhere in the built site: their text stays, as it is.
 *
 * @param {import('markdown-it')} markdown
 */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens }) => {
    for (const { children } of tokens) {
      let isRepository = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') isRepository = isRepositoryFile(token.attrGet('href') ?? '')
        if (!isRepository || !token.type.startsWith('link_')) continue
        if (token.type === 'link_close') isRepository = false
        token.type = 'text'
        token.tag = ''
        token.nesting = 0
        token.content = ''
      }
    }
  })
}

/** Links between pages of this site begin with `/` or `./`, or are anchors. */
function isRepositoryFile(href) {
  return !/^(?:[a-z]+:|\/|#|\.\/)/i.test(href) && !/\.md(?:#|$)/.test(href.replace(/^(?:\.\.\/)+.*/, ''))
}
