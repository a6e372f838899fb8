import theme from 'vitepress/theme-without-fonts'
// After the theme's own, whose custom properties it replaces.
import '@fontsource-variable/newsreader/opsz.css'
import '@fontsource-variable/instrument-sans'
import './style.css'
import { h } from 'vue'
import screenshot from '../../../examples/site/screenshot.jpg'

const alt = 'The example site, Silver & Salt: a large print of a landscape, and the beginning of an article'
// Of another site: the router of this one is not to open it.
const picture = () =>
  h('a', { class: 'hero-picture', href: '/demo/index.html', target: '_self' }, h('img', { src: screenshot, alt }))

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-image': picture }),
}
