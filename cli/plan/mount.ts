import { posix } from 'node:path'
import { findCatchAll, usesSitewright } from '../project/mounted.js'
import type { Project } from '../project/project.js'
import type { SourceFile } from '../project/server-file.js'
import type { Step } from './step.js'
import { sourceEnding } from './templates.js'

/** The lines that mount `sitewright` on a server, and whether they are there. */
export function mountSteps(project: Project): Step[] {
  const { server, serverFile } = project
  const inServer = serverFile && serverStep(project, serverFile)
  if (server === 'vite') return [viteConfigStep(project), ...(inServer ? [inServer] : [])]
  return [inServer ?? newServerStep(project)]
}

const appMount = [
  'app.use(sitewright) // before every route, also a catch-all',
  'right after the app is created',
] as const
const nodeMount = [
  'createServer((req, res) => sitewright(req, res, () => yourHandler(req, res)))',
  'in place of your createServer',
] as const

function serverStep(project: Project, { path, text }: SourceFile): Step {
  const { server } = project
  const [mount, place] = server === 'vite' ? nodeMount : appMount
  const step = { goal: `${path} mounts sitewright`, done: usesSitewright(text) }
  const catchAll = step.done ? findCatchAll(text, server) : undefined
  if (catchAll) {
    const title = `${path}: move the first line above the second, which answers everything:`
    return { ...step, done: false, title, lines: ['app.use(sitewright)', catchAll] }
  }
  if (text.includes(importPath(project, path))) return { ...step, title: `${path}, ${place}:`, lines: [mount] }
  return { ...step, title: `${path}, on top and ${place}:`, lines: [importLine(project, path, text), mount] }
}

/** A whole server, for there is none that is known. */
function newServerStep(project: Project): Step {
  const path = `${project.source}server.${sourceEnding(project)}`
  const imported = importLine(project, path)
  return {
    goal: `${path} mounts sitewright`,
    done: false,
    title: `A new ${path}; or, in the file of your server, what has sitewright:`,
    lines: project.server === 'hono' ? honoServer(imported) : expressServer(imported),
  }
}

const honoServer = (imported: string) => [
  "import { createServer } from 'node:http'",
  "import { Hono } from 'hono'",
  "import { nodeListener } from 'sitewright/node'",
  imported,
  'const app = new Hono()',
  appMount[0],
  'createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)',
]

const expressServer = (imported: string) => [
  "import express from 'express'",
  imported,
  'const app = express()',
  appMount[0],
  'app.listen(process.env.PORT ?? 3000)',
]

function viteConfigStep(project: Project): Step {
  const path = project.config?.path ?? 'vite.config.js'
  return {
    goal: `${path} mounts sitewright`,
    done: usesSitewright(project.config?.text ?? ''),
    title: `${path}, for \`vite\` and \`vite preview\`:`,
    lines: [
      `import { sitewright } from '${importPath(project, path)}'`,
      'plugins: [{',
      "  name: 'sitewright',",
      '  configureServer: ({ middlewares }) => void middlewares.use(sitewright),',
      '  configurePreviewServer: ({ middlewares }) => void middlewares.use(sitewright),',
      '}],',
    ],
  }
}

/** Returns a line that imports `names` of the written index, or of `module`. */
export function importLine(project: Project, from: string, text = '', names = 'sitewright', module?: string): string {
  const path = module ?? importPath(project, from)
  return requires(project, from, text)
    ? `const { ${names} } = require('${path}')`
    : `import { ${names} } from '${path}'`
}

/** Whether a file is CommonJS as it stands. Its `require` loads ES modules on Node 20.19, 22.12 and later. */
function requires({ typescript, esm }: Project, from: string, text: string): boolean {
  return !typescript && !from.endsWith('.mjs') && (!esm || from.endsWith('.cjs')) && !/^import\s/m.test(text)
}

function importPath(project: Project, from: string): string {
  const { source, typescript, tsExtensions } = project
  const ending = typescript && !tsExtensions ? 'js' : sourceEnding(project)
  const path = posix.relative(posix.dirname(from), `${source}sitewright/index.${ending}`)
  return path.startsWith('.') ? path : `./${path}`
}
