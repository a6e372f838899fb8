import { index, route } from '@react-router/dev/routes'

export default [
  index('./routes/home.jsx'),
  route('who', './routes/who.jsx'),
  route('later', './routes/later.jsx'),
  route('account', './routes/account.jsx'),
  route('old', './routes/old.jsx'),
  route('feed.xml', './routes/feed.js'),
]
