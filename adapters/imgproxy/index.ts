export { type ImgproxyOptions, imgproxy } from './service.js'
