/**
 * A plugin of markdown-it. Each cell gets the head of its column as `data-head`: on a phone, a row of three or four cells is a list, and the
 * stylesheet writes the heads into it.
 *
 * @param {import('markdown-it')} markdown
 */
export function tables(markdown) {
  markdown.core.ruler.push('table-heads', ({ tokens }) => {
    let heads = []
    let column = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') heads = []
      if (token.type === 'tr_open') column = 0
      if (token.type === 'th_open') heads.push(tokens[index + 1].content.replaceAll('`', ''))
      if (token.type === 'td_open') {
        const head = heads[column++]
        if (head) token.attrSet('data-head', head)
      }
    }
  })
}
