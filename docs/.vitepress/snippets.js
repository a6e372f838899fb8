import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

const docs = new URL('../', import.meta.url)
// <<< @/snippets/start/hono.js [server.js]
const include = /^<<< @\/(\S+)(?: \[(.+)\])?$/gm

/**
 * A plugin of markdown-it: includes files as code, shows the names of files, and keeps braces in code from Vue. In place of VitePress' own include, which takes
 * the brackets of a path, as Next.js' folders have them, for a title.
 *
 * @param {import('markdown-it')} markdown
 */
export function snippets(markdown) {
  markdown.core.ruler.after('normalize', 'snippets', (state) => {
    state.src = state.src.replace(include, (_, path, title) => {
      const code = readFileSync(new URL(path.replaceAll('%', '%25'), docs), 'utf8')
      return ['```', extname(path).slice(1), title ? ` [${title}]` : '', '\n', code, '```'].join('')
    })
  })

  const { code_inline: inline, fence } = markdown.renderer.rules
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '')
    return inline(tokens, index, ...rest)
  }
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const title = / \[(.+)\]$/.exec(tokens[index].info)?.[1]
    const code = fence(tokens, index, ...rest)
    return title ? `<p class="code-file">${markdown.utils.escapeHtml(title)}</p>${code}` : code
  }
}
