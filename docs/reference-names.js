// A plugin of typedoc: modules are called as they are imported (`sitewright/react/image`), not by their folder.
import { Converter, ReflectionKind } from 'typedoc'
import { referenceEntries } from './reference-entries.js'

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const entry = referenceEntries.find(({ folder }) => folder === module.name)
      if (entry) module.name = entry.name
    }
  })
}
