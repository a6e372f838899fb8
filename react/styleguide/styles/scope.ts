/**
 * Nests the bundled stylesheet in a rule with the specificity of an id, as options of esbuild. The stylesheet so wins
 * over that of a site, whose `a`, `ul` or `nav a:hover` has no layer; `&` is the root element. A rule that a site may
 * override begins with `:where(&)`.
 */
export const stylesheetScope = { banner: { css: ':root:not(#\\#){' }, footer: { css: '}' } }
