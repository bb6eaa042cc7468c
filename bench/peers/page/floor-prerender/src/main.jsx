import { hydrateRoot } from 'react-dom/client'
import { Form } from './form.jsx'

hydrateRoot(document.getElementById('root'), <Form />)
