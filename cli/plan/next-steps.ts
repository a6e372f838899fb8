import { randomBytes } from 'node:crypto'
import type { Project } from '../project/project.js'
import { mountSteps } from './mount.js'
import { nextSteps as nextServerSteps } from './next.js'
import { installCommands } from './packages.js'
import type { Step } from './step.js'
import { stylesheetLines } from './templates.js'

/**
 * Returns what is to be done by hand, and what of it was done already.
 *
 * @param secret Shown as the secret to use.
 */
export function nextSteps(project: Project, secret = randomBytes(24).toString('base64url')): Step[] {
  const install = installCommands(project)
  return [
    { goal: 'package.json has the packages', done: install.length === 0, title: 'Install packages:', lines: install },
    ...(project.server === 'next' ? nextServerSteps(project) : mountSteps(project)),
    environmentStep(project, secret),
    ...ignoreSteps(project),
    pictureStep(project),
    ...colorSteps(project),
    ...(project.findsTypes ? [] : [moduleStep(project)]),
  ]
}

function moduleStep({ server }: Project): Step {
  // Next.js' own imports have no file endings.
  const lines =
    server === 'next' ? '"moduleResolution": "bundler"' : '"module": "nodenext", "moduleResolution": "nodenext"'
  return {
    goal: 'tsconfig.json finds the types',
    done: false,
    title: 'tsconfig.json, where TypeScript does not find the types yet:',
    lines: [lines],
  }
}

function environmentStep(project: Project, secret: string): Step {
  const { environmentFile: file } = project
  const needed = { REVALIDATE_SECRET: secret, STYLEGUIDE_ENABLED: 'true' }
  const missing = Object.entries(needed).filter(([name]) => !project.environment.has(name))
  return {
    goal: `${file} has ${Object.keys(needed).join(' and ')}`,
    done: missing.length === 0,
    title: `${file} (the secret is a new random one):`,
    lines: missing.map(([name, value]) => `${name}=${value}`),
  }
}

function ignoreSteps({ server, environmentFile, ignoresEnvironment }: Project): Step[] {
  if (ignoresEnvironment === undefined) return []
  const step: Step = {
    goal: `git ignores ${environmentFile}`,
    done: ignoresEnvironment,
    title: '.gitignore, so that the secret and what is cached on disk stay out of git:',
    lines: [environmentFile, ...(server === 'next' ? [] : ['.cache/'])],
  }
  return [step]
}

// Of the templates.
const sampleColors = '--color-ink: #1d2b36; --color-paper: #f6f1e7'

function colorSteps({ styleguide, stylesheet }: Project): Step[] {
  if (!styleguide) return []
  const { path, text } = styleguide
  const step: Step = {
    goal: 'the styleguide shows your colors',
    done: !text.includes(sampleColors),
    title: `${path}: your colors, in place of the sample:`,
    lines: stylesheet
      ? stylesheetLines(stylesheet)
      : ["const colors = fromCssVariables(':root { --color-brand: #7d2c1b }').colors"],
  }
  return [step]
}

function pictureStep({ media, picture }: Project): Step {
  return {
    goal: `${media.folder} has a picture`,
    done: picture !== undefined,
    title: `Put a picture into ${media.folder}, such as:`,
    lines: [`${media.folder}/cat.jpg`],
  }
}
