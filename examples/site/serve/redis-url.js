/**
 * Returns the URL of Redis from the environment, if it is set.
 *
 * @param {NodeJS.ProcessEnv} env
 * @throws TypeError when it is not a Redis URL. The message does not show the value, which may contain a password.
 */
export function readRedisUrl({ REDIS_URL }) {
  if (!REDIS_URL) return undefined
  if (URL.canParse(REDIS_URL) && /^rediss?:\/\/[^/]/i.test(REDIS_URL)) return REDIS_URL
  throw new TypeError('REDIS_URL: expected a URL such as redis://localhost:6379, got another value')
}
