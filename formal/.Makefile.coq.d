definitions/hmm.vo definitions/hmm.glob definitions/hmm.v.beautified definitions/hmm.required_vo: definitions/hmm.v 
definitions/hmm.vio: definitions/hmm.v 
definitions/hmm.vos definitions/hmm.vok definitions/hmm.required_vos: definitions/hmm.v 
definitions/memory.vo definitions/memory.glob definitions/memory.v.beautified definitions/memory.required_vo: definitions/memory.v definitions/hmm.vo
definitions/memory.vio: definitions/memory.v definitions/hmm.vio
definitions/memory.vos definitions/memory.vok definitions/memory.required_vos: definitions/memory.v definitions/hmm.vos
proofs/paths.vo proofs/paths.glob proofs/paths.v.beautified proofs/paths.required_vo: proofs/paths.v definitions/hmm.vo
proofs/paths.vio: proofs/paths.v definitions/hmm.vio
proofs/paths.vos proofs/paths.vok proofs/paths.required_vos: proofs/paths.v definitions/hmm.vos
proofs/linear.vo proofs/linear.glob proofs/linear.v.beautified proofs/linear.required_vo: proofs/linear.v definitions/hmm.vo
proofs/linear.vio: proofs/linear.v definitions/hmm.vio
proofs/linear.vos proofs/linear.vok proofs/linear.required_vos: proofs/linear.v definitions/hmm.vos
proofs/message_passing.vo proofs/message_passing.glob proofs/message_passing.v.beautified proofs/message_passing.required_vo: proofs/message_passing.v definitions/hmm.vo proofs/paths.vo
proofs/message_passing.vio: proofs/message_passing.v definitions/hmm.vio proofs/paths.vio
proofs/message_passing.vos proofs/message_passing.vok proofs/message_passing.required_vos: proofs/message_passing.v definitions/hmm.vos proofs/paths.vos
