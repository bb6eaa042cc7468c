import { renderToString } from 'react-dom/server'
import { Form } from './form.jsx'

export const render = () => renderToString(<Form />)
