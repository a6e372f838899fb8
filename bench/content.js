// Collected tags: the processor time of a page that reads 100 entries, without and with them.
import { compareCpu } from './cpu.js'
import { start } from './start.js'

export async function benchContent() {
  const serve = (server, env) => start('node', ['servers/content.js'], { SERVER: server, ...env })
  const cms = await serve('cms')
  const names = ['plain', 'context', 'tagged', 'contentful']
  const servers = await Promise.all(names.map((name) => serve(name, { CMS: cms.origin })))
  const at = (path) =>
    names.map((name, index) => ({ name, pid: servers[index].pid, url: servers[index].origin + path }))
  try {
    await compareCpu('A page of 100 entries, in one answer', at('/list'), { requests: 1000, connections: 8 })
    await compareCpu('The same, in 100 answers', at('/each'), { requests: 100, connections: 4 })
  } finally {
    await Promise.all([cms, ...servers].map(({ close }) => close()))
  }
}
