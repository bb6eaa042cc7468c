import { createRoot } from 'react-dom/client'
import { Form } from './form.jsx'

createRoot(document.getElementById('root')).render(<Form />)
