import '@fontsource-variable/newsreader/opsz.css'
import '@fontsource-variable/instrument-sans'
import './style.css'
import theme from 'vitepress/theme-without-fonts'

export default theme
