import { randomBytes } from 'node:crypto'
import type { Project } from '../project/project.js'
import { mountSteps } from './mount.js'
import { nextSteps as nextServerSteps } from './next.js'
import { installCommands } from './packages.js'
import type { Step } from './step.js'

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
    pictureStep(project),
    ...(project.findsTypes ? [] : [moduleStep]),
  ]
}

const moduleStep: Step = {
  goal: 'tsconfig.json finds the types',
  done: false,
  title: 'tsconfig.json, where TypeScript does not find the types yet:',
  lines: ['"module": "nodenext", "moduleResolution": "nodenext"'],
}

/** Next.js reads `.env.local`, which its .gitignore has; the other servers' files read `.env`. */
export function environmentFile({ server }: Project): string {
  return server === 'next' ? '.env.local' : '.env'
}

function environmentStep(project: Project, secret: string): Step {
  const file = environmentFile(project)
  const needed = { REVALIDATE_SECRET: secret, STYLEGUIDE_ENABLED: 'true' }
  const missing = Object.entries(needed).filter(([name]) => !project.environment.has(name))
  return {
    goal: `${file} has ${Object.keys(needed).join(' and ')}`,
    done: missing.length === 0,
    title: `${file}, which stays out of git (the secret is a new random one):`,
    lines: missing.map(([name, value]) => `${name}=${value}`),
  }
}

function pictureStep({ media, picture }: Project): Step {
  return {
    goal: `${media.folder} has a picture`,
    done: picture !== undefined,
    title: `Put a picture into ${media.folder}, such as:`,
    lines: [`${media.folder}/cat.jpg`],
  }
}
