import type { Project } from '../project/project.js'
import type { Step } from './step.js'
import { loaderFile, quote } from './templates.js'

/** What Next.js needs besides the files. */
export function nextSteps(project: Project): Step[] {
  const { type, nestedLayout } = project
  return [
    ...(type === 'commonjs' ? [typeStep] : []),
    ...(nestedLayout === undefined ? [] : [layoutStep(nestedLayout)]),
    configStep(project),
    ...standaloneSteps(project),
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

/** Next.js does not see the program that decodes images, nor what that loads. */
function standaloneSteps({ config, stylesheet }: Project): Step[] {
  if (!config || !/\boutput\s*:\s*['"]standalone['"]/.test(config.text)) return []
  const step: Step = {
    goal: `${config.path} has the files that standalone needs`,
    done: /outputFileTracingIncludes[\s\S]*sitewright\/dist/.test(config.text),
    title: `${config.path}, in the configuration, for output: 'standalone':`,
    lines: [
      'outputFileTracingIncludes: {',
      "  '/**': [",
      "    './node_modules/sitewright/dist/**/*.js',",
      "    './node_modules/sharp/dist/*.mjs',",
      ...(stylesheet === undefined ? [] : [`    ${quote(`./${stylesheet}`)}, // which the styleguide reads`]),
      '  ],',
      '},',
    ],
  }
  return [step]
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
