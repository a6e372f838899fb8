// A plugin of typedoc: modules are called as they are imported (`sitewright/react/image`), not by their folder; and a parameter that
// is taken apart, by its type.
import { Converter, ReflectionKind } from 'typedoc'
import { referenceEntries } from './reference-entries.js'

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const entry = referenceEntries.find(({ folder }) => folder === module.name)
      if (entry) module.name = entry.name
    }
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
      if (parameter.name !== '__namedParameters') continue
      const isOptions = parameter.type?.type === 'reference' && parameter.type.name.endsWith('Options')
      parameter.name = isOptions ? 'options' : 'props' // also what Next.js gives to a page
    }
  })
}
