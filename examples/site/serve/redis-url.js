/**
 * The Redis that the environment names, when it does.
 *
 * @param {NodeJS.ProcessEnv} env
 * @throws TypeError when it is no address; without showing it, since it may bear a password.
 */
export function readRedisUrl({ REDIS_URL }) {
  if (!REDIS_URL) return undefined
  if (URL.canParse(REDIS_URL) && /^rediss?:\/\/[^/]/i.test(REDIS_URL)) return REDIS_URL
  throw new TypeError('REDIS_URL: no address of a Redis; write one such as redis://localhost:6379')
}
