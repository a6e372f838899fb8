// A Payload with posts, of which a category lists some. Its packages are not bundled: they are outside of the repository.
const { PAYLOAD_MODULES = '', DATABASE = '' } = process.env
/** @param {string} name */
const load = (name) => import(/*turbopackIgnore: true*/ `${PAYLOAD_MODULES}/${name}/dist/index.js`)

/** @param {unknown[]} plugins */
export async function startPayload(plugins) {
  const [{ buildConfig, getPayload }, { sqliteAdapter }] = await Promise.all([
    load('payload'),
    load('@payloadcms/db-sqlite'),
  ])
  const config = buildConfig({
    secret: 'between-us-and-payload',
    telemetry: false,
    typescript: { autoGenerate: false },
    db: sqliteAdapter({ client: { url: `file:${DATABASE}` }, wal: true, busyTimeout: 20_000, transactionOptions: {} }),
    collections: [
      { slug: 'categories', fields: [{ name: 'title', type: 'text' }] },
      {
        slug: 'posts',
        versions: { drafts: { schedulePublish: true } },
        fields: [
          { name: 'title', type: 'text' },
          { name: 'category', type: 'relationship', relationTo: 'categories' },
        ],
      },
    ],
    plugins,
  })
  return getPayload({ config })
}
