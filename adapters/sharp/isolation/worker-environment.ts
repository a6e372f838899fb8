// What Node.js, sharp, libvips and the C library read, on any system; in upper case, since Windows ignores case.
const names = new Set(
  [
    'PATH HOME LANG LANGUAGE TZ TMPDIR TEMP TMP',
    'SYSTEMROOT WINDIR PATHEXT', // without them no program starts on Windows
    'NODE_ENV NODE_PATH NODE_ICU_DATA OPENSSL_CONF',
    'LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH DYLD_INSERT_LIBRARIES GLIBC_TUNABLES',
    'ORC_CODE OMP_NUM_THREADS G_SLICE G_DEBUG G_MESSAGES_DEBUG',
  ].flatMap((line) => line.split(' ')),
)
const prefixes = ['LC_', 'VIPS_', 'MALLOC_', 'FONTCONFIG_', 'ICU_']

/**
 * Returns the environment of a transform process: none of the site's secrets, since it decodes what strangers have sent, but
 * what libraries and the allocator are set by. Of `NODE_OPTIONS`, the debugger is left out.
 */
export function workerEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isKept = (name: string) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
  const kept = Object.entries(environment).filter(([name]) => isKept(name.toUpperCase()))
  const nodeOptions = environment.NODE_OPTIONS?.replace(/--(?:inspect|debug)\S*/g, '')
  return {
    ...Object.fromEntries(kept),
    ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
    UV_THREADPOOL_SIZE: '1',
  }
}
