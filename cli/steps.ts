import { randomBytes } from 'node:crypto'
import type { Project } from './project.js'
import { importEnding, isCommonJs, readTemplate, sourceEnding, stepCode } from './templates.js'

/** Returns the next steps for a project. Leaves out steps that the files show as done; other steps may be done, too. */
export function nextSteps(project: Project): string[] {
  const { server, manager, scripts, source, typescript, type, config, media, next, dependencies, parts } = project
  const newServer = `${source}server.${typescript ? 'ts' : 'js'}`
  const serverFile = project.serverFile?.path ?? newServer
  const program = `${typescript ? 'npx tsx' : 'node'} ${serverFile}`
  const command = { next: 'npx next dev', vite: 'npx vite', hono: program, express: program }[server]
  const script = ['dev', 'start'].find((name) => name in scripts)
  return fillSteps(server === 'next' ? 'next/steps.txt' : 'server/steps.txt', {
    ...installCommands(project),
    ...stepCode(project),
    source,
    newServer: project.serverFile ? undefined : newServer,
    existingServer: project.serverFile?.path,
    ending: sourceEnding(project),
    importEnding: importEnding(project),
    esm: isCommonJs(project) ? ' (ESM: `import`)' : '',
    module: typescript && project.rejectsEsModules ? 'nodenext' : undefined,
    removeType: type === 'commonjs' ? 'npm pkg delete type' : undefined,
    nextConfig: config?.text.includes('image-loader') ? undefined : config?.path,
    viteConfig: server === 'vite' ? (config?.path ?? 'vite.config.js') : undefined,
    honoConfig: server === 'hono' && dependencies.has('vite') ? 'vite.config' : undefined,
    missingPicture: media.hasPicture ? undefined : `${media.folder}/${media.picture}`,
    image: Buffer.from(media.prefix + media.picture).toString('base64url'),
    secret: newSecret(),
    run: script ? `${manager} run ${script}` : command,
    origin: `http://localhost:${server === 'vite' ? 5173 : 3000}${next?.basePath ?? ''}`,
    slash: next?.slash ?? '',
    imagePath: next?.hasPagesOnly ? 'api/image' : project.imagePrefix,
    pagePath: next?.hasPagesOnly ? 'pages/example' : 'app/example/page',
    proxy: next?.proxy,
    matcher: next?.matcher,
    redirectSource: next?.redirectSource,
    redirects: config?.path,
    takenBy: project.takenBy,
    layout: next?.layout,
    group: `"${source}app/(site)"`,
    notFound: next?.movesNotFound ? `${source}app/global-not-found.${sourceEnding(project)}x` : undefined,
    pages: next?.pages.join(' '),
    theme: parts.theme.length > 0 ? parts.theme.join('\n') : undefined,
    themeFile: next?.hasPagesOnly ? 'pages/api/sitewright/[file]' : 'app/styleguide/[[...slug]]/theme.css',
  })
}

/** Returns the commands for the packages that the project lacks. */
function installCommands({ server, typescript, dependencies, manager, next }: Project) {
  const framework = { next: ['next'], hono: ['hono'], express: ['express'], vite: [] }[server]
  // `sitewright/node` needs undici. undici 8 needs Node 22.19; undici 7 runs on every supported version.
  const client = server === 'next' ? [] : ['undici@7']
  const types = ['@types/node', ...(server === 'express' ? ['@types/express'] : []), '@types/react', '@types/react-dom']
  const add = (option: string, names: readonly string[]) => {
    const missing = names.filter((name) => !dependencies.has(name.replace(/^(.[^@]*)@.*/s, '$1')))
    const command = `${manager} ${manager === 'npm' ? 'install' : 'add'}${option}`
    return missing.length > 0 ? [command, ...missing].join(' ') : undefined
  }
  return {
    install: add('', [
      'sitewright',
      next?.sharp ? `sharp@${next.sharp}` : 'sharp',
      ...client,
      ...framework,
      'react',
      'react-dom',
    ]),
    installTypes: typescript ? add(' -D', types) : undefined,
  }
}

/** Creates a secret for `REVALIDATE_SECRET`. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/**
 * Returns the steps of a template. A step is a title, with the lines to copy below it. A title or line is left out if
 * one of its values is `undefined`, and a step if its title or all of its lines are left out.
 */
export function fillSteps(template: string, values: Readonly<Record<string, string | undefined>>): string[] {
  const placeholder = /{{(\w+)}}/g
  const hasAllValues = (line: string) =>
    Array.from(line.matchAll(placeholder)).every(([, name = '']) => values[name] !== undefined)
  const fill = (line: string) => line.replace(placeholder, (_, name) => values[name] ?? '')
  const steps = readTemplate(template).trim().split('\n\n')
  return steps.flatMap((step) => {
    const [title = '', ...lines] = step.split('\n')
    const completeLines = lines.filter(hasAllValues)
    return hasAllValues(title) && completeLines.length > 0 ? [title, ...completeLines].map(fill).join('\n') : []
  })
}
