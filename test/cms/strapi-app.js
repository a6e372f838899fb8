// Starts a Strapi in the current folder: `node strapi-app.js`, with HOOK and AUTHORIZATION for its webhook.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { createStrapi } = createRequire(join(process.cwd(), 'package.json'))('@strapi/strapi')
const strapi = await createStrapi({ appDir: process.cwd(), distDir: process.cwd() }).load()
const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
for (const type of Object.keys(strapi.contentTypes).filter((uid) => uid.startsWith('api::'))) {
  for (const name of ['find', 'findOne', 'create', 'update', 'delete']) {
    const data = { action: `${type}.${name}`, role: role.id }
    await strapi.db.query('plugin::users-permissions.permission').create({ data })
  }
}
for (const name of ['find', 'findOne', 'upload', 'destroy']) {
  const data = { action: `plugin::upload.content-api.${name}`, role: role.id }
  await strapi.db.query('plugin::users-permissions.permission').create({ data })
}
const webhook = await strapi.get('webhookStore').createWebhook({
  name: 'site',
  url: process.env.HOOK,
  headers: { Authorization: process.env.AUTHORIZATION },
  events: [
    'entry.create',
    'entry.update',
    'entry.delete',
    'entry.publish',
    'entry.unpublish',
    'media.create',
    'media.update',
    'media.delete',
  ],
  isEnabled: true,
})
strapi.get('webhookRunner').add(webhook)
await strapi.start()
