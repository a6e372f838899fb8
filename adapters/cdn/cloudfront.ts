import type { MaybePromise } from '../../core/async.js'
import { checkKnownOptions, functionAs, type OptionChecks, required } from '../../core/options.js'
import { type AwsCredentials, signXmlPost } from './aws-signature.js'
import { type Cdn, type CdnOptions, cdnChecks, checkId, checkToken } from './provider.js'
import { createCdn } from './purge.js'

export interface CloudfrontOptions extends Omit<CdnOptions, 'token'> {
  /** Id of the distribution, as shown in the console. */
  distributionId: string
  /**
   * Returns the credentials for each call, such as `fromNodeProviderChain()` of `@aws-sdk/credential-providers`. Their
   * policy must allow `cloudfront:CreateInvalidation`. Default: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for
   * temporary credentials, `AWS_SESSION_TOKEN` of the environment.
   */
  credentials?: (() => MaybePromise<AwsCredentials>) | undefined
}

const providerChain = 'credentials: fromNodeProviderChain() of @aws-sdk/credential-providers'
const { token: _, ...callChecks } = cdnChecks
const checks: OptionChecks<CloudfrontOptions> = {
  ...callChecks,
  distributionId: required(checkId),
  credentials: functionAs(`a function, such as ${providerChain}`, ['fromNodeProviderChain']),
}

/** The advice for an error, by its code. */
const advice = new Map([
  ['AccessDenied', 'allow cloudfront:CreateInvalidation in the policy of the credentials'],
  ['ExpiredToken', `write ${providerChain}, which renews it`],
  ['NoSuchDistribution', 'copy distributionId from the console'],
])
const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/**
 * Creates a {@link Cdn} for Amazon CloudFront. Header: `Cache-Tag`, which the distribution must name in its
 * `CacheTagConfig`; comma-separated, 50 tags per response, 256 characters per tag, case-insensitive
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-by-tags.html). Purge:
 * `CreateInvalidation`, with up to 3,000 tags in progress; this adapter sends 1,000 per call
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/InvalidationLimits.html). CloudFront has no soft
 * purge: both modes are `hard`. Each tag counts as a path, of which 1,000 a month are free
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/PayingForInvalidation.html). So
 * {@link purgeEverywhere} purges CloudFront only once, unless `repeatAfter` is set.
 *
 * @throws TypeError that names the missing or malformed option.
 * @example const cdn = cloudfront({ distributionId: 'EDFDVBD6EXAMPLE' })
 */
export function cloudfront(options: CloudfrontOptions): Cdn {
  const checked = checkKnownOptions(options, checks, 'cloudfront({ distributionId })')
  const { distributionId, credentials = environmentCredentials(), ...callOptions } = checked
  const url = `https://cloudfront.amazonaws.com/2020-05-31/distribution/${distributionId}/invalidation`
  const cdn = createCdn(
    {
      name: 'cloudfront',
      header: 'Cache-Tag',
      separator: ',',
      maxTagLength: 256,
      maxTagsInHeader: 50,
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
      noStoreHeaders: { 'Cache-Control': 'private, no-store' },
      batchSize: 1000,
      purgeCall: async (tags, _, reference) => {
        const key = checkCredentials(await credentials())
        const body = formatInvalidation(tags, reference)
        const headers = signXmlPost(new URL(url), body, key, 'us-east-1/cloudfront', new Date())
        return { url, headers, body, secrets: [key.secretAccessKey, key.sessionToken] }
      },
      readFailure: (body) => {
        const code = textOf('Code', body)
        const reason = [code, advice.get(code), textOf('Message', body)].filter(Boolean).join('; ')
        // These have status 400, but a later call may succeed.
        return { reason, isTemporary: ['TooManyInvalidationsInProgress', 'Throttling'].includes(code) }
      },
    },
    callOptions,
  )
  return { ...cdn, isBilledByTag: true }
}

/**
 * Formats the body of `CreateInvalidation`. A repeated call has the same reference, so that CloudFront creates one
 * invalidation, and charges for it once.
 */
function formatInvalidation(tags: readonly string[], reference: string): string {
  // Tags that differ only in case are the same tag, which should be charged for once.
  const paths = [...new Set(tags.map((tag) => `<Path>#${escapeXml(tag.toLowerCase())}</Path>`))]
  const list = `<Paths><Quantity>${paths.length}</Quantity><Items>${paths.join('')}</Items></Paths>`
  const namespace = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'
  const batch = `${list}<CallerReference>${reference}</CallerReference>`
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="${namespace}">${batch}</InvalidationBatch>`
}

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&${entities[character]};`)

/** Returns the text of the first XML element with a name, or an empty text. */
const textOf = (name: string, xml: string): string => xml.split(`<${name}>`, 2)[1]?.split('</', 1)[0] ?? ''

function environmentCredentials(): () => AwsCredentials {
  // Cloudflare Workers have no `process`.
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = globalThis.process?.env ?? {}
  const key = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  const checked = checkCredentials({ ...key, sessionToken: AWS_SESSION_TOKEN || undefined })
  return () => checked
}

/** Returns credentials that a header can carry. */
function checkCredentials(credentials: AwsCredentials): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken = 'none' } = Object(credentials) as AwsCredentials
  for (const [name, text] of Object.entries({ accessKeyId, secretAccessKey, sessionToken })) {
    const hint = `set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write ${providerChain}`
    checkToken(`credentials.${name}`, text, 'credentials of AWS', hint)
  }
  return credentials
}
