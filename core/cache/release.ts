import { optionError } from '../option-error.js'
import type { OptionCheck } from '../options.js'

// The type is declared here, because core does not depend on Node's types.
declare const process: { env: Readonly<Partial<Record<string, string>>> } | undefined

// The variables by which platforms name the running release, the same for all instances:
// - https://vercel.com/docs/environment-variables/system-environment-variables
// - https://render.com/docs/environment-variables
// - https://devcenter.heroku.com/articles/dyno-metadata
// - https://fly.io/docs/machines/runtime-environment/
// - https://docs.railway.com/reference/variables
// - https://cloud.google.com/run/docs/container-contract
const variables = [
  'VERCEL_DEPLOYMENT_ID',
  'RENDER_GIT_COMMIT',
  'HEROKU_BUILD_COMMIT',
  'HEROKU_SLUG_COMMIT',
  'FLY_IMAGE_REF',
  'RAILWAY_DEPLOYMENT_ID',
  'K_REVISION',
]

/** Returns the name that the platform gives to the running release, if there is one. */
export function platformRelease(): string | undefined {
  const env = typeof process === 'undefined' ? undefined : process.env
  return variables.map((name) => env?.[name]).find(Boolean)
}

export const checkRelease: OptionCheck<string> = (option, value) => {
  if (typeof value === 'string' && value.length <= 200) return value
  throw optionError(option, "a name of at most 200 characters, or '' for none", value)
}

/** Explains why a store that outlives the process needs the name of the release. */
export const releaseAdvice =
  "its pages name the scripts and styles of an earlier build; write release: process.env.RELEASE, or release: '' if they never do"
