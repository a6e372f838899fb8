import { randomBytes } from 'node:crypto'
import type { Project } from './project.js'
import { codeBlocks, isCommonJs, loaderFile, pictureName, setupFile, setupModule } from './templates.js'

/** Something for the user to do: a title, and the lines to copy. */
export interface Step {
  title: string
  lines: string[]
}

/** Returns the next steps, including steps that may already be done. */
export function nextSteps(project: Project): Step[] {
  return [
    ...installSteps(project),
    ...typescriptSteps(project),
    ...(project.server === 'next' ? nextConfigSteps(project) : serverSteps(project)),
    environmentStep(project),
    ...(project.media.picture === undefined ? [pictureStep(project)] : []),
    ...exampleSteps(project),
    ...runSteps(project),
  ]
}

function installSteps({ server, typescript, dependencies, manager }: Project): Step[] {
  const framework = { next: ['next'], hono: ['hono'], express: ['express'], vite: [] }[server]
  // Needed by `sitewright/node`. undici 8 needs Node 22.19; undici 7 runs on every supported version.
  const client = server === 'next' ? [] : ['undici@7']
  const packages = ['sitewright', 'sharp', ...client, ...framework, 'react', 'react-dom']
  const typed = ['node', ...(server === 'express' ? ['express'] : []), 'react', 'react-dom']
  const types = typescript ? typed.map((name) => `@types/${name}`) : []
  const missing = (names: string[]) => names.filter((name) => !dependencies.has(name.replace(/@\d+$/, '')))
  const add = `${manager} ${manager === 'npm' ? 'install' : 'add'}`
  const lines = [
    [add, ...missing(packages)],
    [`${add} -D`, ...missing(types)],
  ]
  const commands = lines.filter((words) => words.length > 1).map((words) => words.join(' '))
  return commands.length > 0 ? [{ title: 'Install:', lines: commands }] : []
}

function typescriptSteps({ server, typescript, rejectsEsModules }: Project): Step[] {
  if (!typescript || !rejectsEsModules || server === 'next') return []
  const title = 'tsconfig.json, whose setting rejects ES modules in a CommonJS package (TypeScript 5.8 or later):'
  return [{ title, lines: ['"module": "nodenext"'] }]
}

function nextConfigSteps(project: Project): Step[] {
  const { config, type } = project
  const steps: Step[] = []
  if (type === 'commonjs') {
    const title = 'package.json has "type": "commonjs", so Next.js rejects ES modules:'
    steps.push({ title, lines: ['npm pkg delete type'] })
  }
  if (config && !config.text.includes('image-loader')) {
    const line = `images: { loader: 'custom', loaderFile: '${loaderFile(project)}' },`
    steps.push({ title: `${config.path}, in the configuration:`, lines: [line] })
  }
  return steps
}

/** Shows a complete server, because a new site has no server yet. An existing server needs only two of its lines. */
function serverSteps(project: Project): Step[] {
  if (project.server === 'vite') return [viteConfigStep(project)]
  const file = `${project.source}server.${project.typescript ? 'ts' : 'js'}`
  const title = `A new ${file}, or its two sitewright lines in yours${isCommonJs(project) ? ' (ESM: `import`)' : ''}:`
  return [{ title, lines: codeBlocks(project).slice(0, 2).flat() }]
}

function viteConfigStep(project: Project): Step {
  return {
    title: `${project.config?.path ?? 'vite.config.js'}, for \`vite\` and \`vite preview\`:`,
    lines: [
      `import { sitewright } from '${setupModule(project).replace('./', `./${project.source}`)}'`,
      'plugins: [{',
      "  name: 'sitewright',",
      '  configureServer: ({ middlewares }) => void middlewares.use(sitewright),',
      '  configurePreviewServer: ({ middlewares }) => void middlewares.use(sitewright),',
      '}],',
    ],
  }
}

function environmentStep(project: Project): Step {
  const file = environmentFile(project)
  return {
    title: `${file}, with a new random secret; keep it${project.server === 'next' ? '' : ' and .cache/'} out of git:`,
    lines: [`REVALIDATE_SECRET=${randomBytes(24).toString('base64url')}`, 'STYLEGUIDE_ENABLED=true'],
  }
}

/** Next.js reads `.env.local`; the files of the other servers read `.env`. */
function environmentFile({ server }: Project): string {
  return server === 'next' ? '.env.local' : '.env'
}

/** Shown only if no folder with a picture was found. */
function pictureStep(project: Project): Step {
  const { source, server, media } = project
  const files = server === 'next' ? `${source}images and ${source}image-loader` : setupFile(project, 'images')
  return { title: `A picture; or, in ${files}, the folder of yours:`, lines: [`${media.folder}/${pictureName}`] }
}

function exampleSteps(project: Project): Step[] {
  const { server, source, typescript } = project
  if (server === 'vite') return []
  const title =
    server === 'next'
      ? `A page with a picture, such as ${source}app/example/page.${typescript ? 'tsx' : 'js'}:`
      : 'A page with a picture, cached for a day or until it is purged:'
  return [{ title, lines: codeBlocks(project).slice(-2).flat() }]
}

function runSteps(project: Project): Step[] {
  const { server, manager, scripts, source, typescript, media } = project
  const script = ['dev', 'start'].find((name) => scripts.has(name))
  const program = typescript ? `npx tsx ${source}server.ts` : `node ${source}server.js`
  const command = { next: 'npx next dev', vite: 'npx vite', hono: program, express: program }[server]
  const origin = `http://localhost:${server === 'vite' ? 5173 : 3000}`
  const image = Buffer.from(`${media.prefix}${media.picture ?? pictureName}`).toString('base64url')
  return [
    { title: 'Run:', lines: [script ? `${manager} run ${script}` : command] },
    { title: 'Open:', lines: [`${origin}/styleguide`, `${origin}/_image/${image}?width=640`] },
    purgeStep(environmentFile(project), origin),
  ]
}

/** Shows the request that a CMS sends. */
export function purgeStep(environment: string, origin: string): Step {
  return {
    title: 'Purge the pages, as your CMS will after publishing:',
    lines: [
      `. ./${environment}`,
      'curl -X POST -H "Authorization: Bearer $REVALIDATE_SECRET" \\',
      `  ${origin}/api/revalidate`,
    ],
  }
}
