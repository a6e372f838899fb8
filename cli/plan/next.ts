import type { Project } from '../project/project.js'
import type { Step } from './step.js'
import { loaderFile } from './templates.js'

/** What Next.js needs besides the files. */
export function nextSteps(project: Project): Step[] {
  const { type, nestedLayout } = project
  return [
    ...(type === 'commonjs' ? [typeStep] : []),
    ...(nestedLayout === undefined ? [] : [layoutStep(nestedLayout)]),
    configStep(project),
    ...standaloneSteps(project),
    ...(project.cacheComponents ? [tagStep(project)] : []),
  ]
}

/** Next.js takes ES modules without `type`, and either form with its value. */
const typeStep: Step = {
  goal: 'package.json allows ES modules',
  done: false,
  title: 'package.json says "type": "commonjs", so Next.js refuses ES modules:',
  lines: ['npm pkg delete type'],
}

function layoutStep(path: string): Step {
  return {
    goal: `${path} has no <html>`,
    done: false,
    title: 'app/layout has <html> now. Remove this one, which has another:',
    lines: [`rm ${path}`],
  }
}

function configStep(project: Project): Step {
  const { config } = project
  const entries = `loader: 'custom', loaderFile: '${loaderFile(project)}'`
  const path = config?.path ?? 'next.config'
  const hasImages = /\bimages\s*:/.test(config?.text ?? '')
  return {
    goal: `${path} has the image loader`,
    done: config === undefined || config.text.includes('image-loader'),
    title: hasImages ? `${path}, in its \`images\`:` : `${path}, in the configuration:`,
    lines: [hasImages ? `${entries},` : `images: { ${entries} },`],
  }
}

/** Next.js copies only files that it can foresee, which those that a process is started with are not. */
function standaloneSteps({ config, stylesheet }: Project): Step[] {
  if (!config || !/\boutput\s*:\s*['"]standalone['"]/.test(config.text)) return []
  const files = ['./node_modules/sitewright/dist/**/*.js', './node_modules/sharp/dist/*.mjs']
  if (stylesheet) files.push(`./${stylesheet}`)
  const step: Step = {
    goal: `${config.path} has the files that standalone output lacks`,
    done: config.text.includes('sitewright/dist'),
    title: `${config.path}, with output: 'standalone', or every image is a 502:`,
    lines: ['outputFileTracingIncludes: {', `  '/**': [${files.map((file) => `'${file}'`).join(', ')}],`, '},'],
  }
  return [step]
}

function tagStep({ tagsContent }: Project): Step {
  return {
    goal: "cached content has the tag 'document'",
    done: tagsContent,
    title: "With cacheComponents, in each function that reads content, or a purge changes nothing (from 'next/cache'):",
    lines: ["'use cache'", "cacheTag('document')"],
  }
}
