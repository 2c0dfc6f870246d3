definitions/hmm.vo definitions/hmm.glob definitions/hmm.v.beautified definitions/hmm.required_vo: definitions/hmm.v 
definitions/hmm.vio: definitions/hmm.v 
definitions/hmm.vos definitions/hmm.vok definitions/hmm.required_vos: definitions/hmm.v 
definitions/memory.vo definitions/memory.glob definitions/memory.v.beautified definitions/memory.required_vo: definitions/memory.v definitions/hmm.vo
definitions/memory.vio: definitions/memory.v definitions/hmm.vio
definitions/memory.vos definitions/memory.vok definitions/memory.required_vos: definitions/memory.v definitions/hmm.vos
statements/theorems.vo statements/theorems.glob statements/theorems.v.beautified statements/theorems.required_vo: statements/theorems.v definitions/hmm.vo definitions/memory.vo
statements/theorems.vio: statements/theorems.v definitions/hmm.vio definitions/memory.vio
statements/theorems.vos statements/theorems.vok statements/theorems.required_vos: statements/theorems.v definitions/hmm.vos definitions/memory.vos
statements/vanilla.vo statements/vanilla.glob statements/vanilla.v.beautified statements/vanilla.required_vo: statements/vanilla.v definitions/hmm.vo
statements/vanilla.vio: statements/vanilla.v definitions/hmm.vio
statements/vanilla.vos statements/vanilla.vok statements/vanilla.required_vos: statements/vanilla.v definitions/hmm.vos
statements/refutations.vo statements/refutations.glob statements/refutations.v.beautified statements/refutations.required_vo: statements/refutations.v definitions/hmm.vo definitions/memory.vo
statements/refutations.vio: statements/refutations.v definitions/hmm.vio definitions/memory.vio
statements/refutations.vos statements/refutations.vok statements/refutations.required_vos: statements/refutations.v definitions/hmm.vos definitions/memory.vos
proofs/paths.vo proofs/paths.glob proofs/paths.v.beautified proofs/paths.required_vo: proofs/paths.v definitions/hmm.vo
proofs/paths.vio: proofs/paths.v definitions/hmm.vio
proofs/paths.vos proofs/paths.vok proofs/paths.required_vos: proofs/paths.v definitions/hmm.vos
proofs/linear.vo proofs/linear.glob proofs/linear.v.beautified proofs/linear.required_vo: proofs/linear.v definitions/hmm.vo
proofs/linear.vio: proofs/linear.v definitions/hmm.vio
proofs/linear.vos proofs/linear.vok proofs/linear.required_vos: proofs/linear.v definitions/hmm.vos
proofs/message_passing.vo proofs/message_passing.glob proofs/message_passing.v.beautified proofs/message_passing.required_vo: proofs/message_passing.v definitions/hmm.vo proofs/paths.vo
proofs/message_passing.vio: proofs/message_passing.v definitions/hmm.vio proofs/paths.vio
proofs/message_passing.vos proofs/message_passing.vok proofs/message_passing.required_vos: proofs/message_passing.v definitions/hmm.vos proofs/paths.vos
proofs/entered.vo proofs/entered.glob proofs/entered.v.beautified proofs/entered.required_vo: proofs/entered.v definitions/hmm.vo statements/vanilla.vo proofs/paths.vo proofs/linear.vo
proofs/entered.vio: proofs/entered.v definitions/hmm.vio statements/vanilla.vio proofs/paths.vio proofs/linear.vio
proofs/entered.vos proofs/entered.vok proofs/entered.required_vos: proofs/entered.v definitions/hmm.vos statements/vanilla.vos proofs/paths.vos proofs/linear.vos
proofs/theorems_3.vo proofs/theorems_3.glob proofs/theorems_3.v.beautified proofs/theorems_3.required_vo: proofs/theorems_3.v definitions/hmm.vo statements/theorems.vo statements/vanilla.vo proofs/paths.vo proofs/linear.vo proofs/message_passing.vo proofs/entered.vo
proofs/theorems_3.vio: proofs/theorems_3.v definitions/hmm.vio statements/theorems.vio statements/vanilla.vio proofs/paths.vio proofs/linear.vio proofs/message_passing.vio proofs/entered.vio
proofs/theorems_3.vos proofs/theorems_3.vok proofs/theorems_3.required_vos: proofs/theorems_3.v definitions/hmm.vos statements/theorems.vos statements/vanilla.vos proofs/paths.vos proofs/linear.vos proofs/message_passing.vos proofs/entered.vos
proofs/section_3.vo proofs/section_3.glob proofs/section_3.v.beautified proofs/section_3.required_vo: proofs/section_3.v definitions/hmm.vo statements/vanilla.vo proofs/paths.vo proofs/linear.vo proofs/message_passing.vo proofs/entered.vo proofs/theorems_3.vo
proofs/section_3.vio: proofs/section_3.v definitions/hmm.vio statements/vanilla.vio proofs/paths.vio proofs/linear.vio proofs/message_passing.vio proofs/entered.vio proofs/theorems_3.vio
proofs/section_3.vos proofs/section_3.vok proofs/section_3.required_vos: proofs/section_3.v definitions/hmm.vos statements/vanilla.vos proofs/paths.vos proofs/linear.vos proofs/message_passing.vos proofs/entered.vos proofs/theorems_3.vos
proofs/laws.vo proofs/laws.glob proofs/laws.v.beautified proofs/laws.required_vo: proofs/laws.v definitions/hmm.vo statements/vanilla.vo proofs/paths.vo proofs/message_passing.vo
proofs/laws.vio: proofs/laws.v definitions/hmm.vio statements/vanilla.vio proofs/paths.vio proofs/message_passing.vio
proofs/laws.vos proofs/laws.vok proofs/laws.required_vos: proofs/laws.v definitions/hmm.vos statements/vanilla.vos proofs/paths.vos proofs/message_passing.vos
proofs/memory_chain.vo proofs/memory_chain.glob proofs/memory_chain.v.beautified proofs/memory_chain.required_vo: proofs/memory_chain.v definitions/hmm.vo definitions/memory.vo proofs/paths.vo
proofs/memory_chain.vio: proofs/memory_chain.v definitions/hmm.vio definitions/memory.vio proofs/paths.vio
proofs/memory_chain.vos proofs/memory_chain.vok proofs/memory_chain.required_vos: proofs/memory_chain.v definitions/hmm.vos definitions/memory.vos proofs/paths.vos
proofs/refutations_numbers.vo proofs/refutations_numbers.glob proofs/refutations_numbers.v.beautified proofs/refutations_numbers.required_vo: proofs/refutations_numbers.v definitions/hmm.vo
proofs/refutations_numbers.vio: proofs/refutations_numbers.v definitions/hmm.vio
proofs/refutations_numbers.vos proofs/refutations_numbers.vok proofs/refutations_numbers.required_vos: proofs/refutations_numbers.v definitions/hmm.vos
proofs/refutations_hmm.vo proofs/refutations_hmm.glob proofs/refutations_hmm.v.beautified proofs/refutations_hmm.required_vo: proofs/refutations_hmm.v definitions/hmm.vo proofs/paths.vo proofs/linear.vo proofs/message_passing.vo proofs/refutations_numbers.vo statements/refutations.vo
proofs/refutations_hmm.vio: proofs/refutations_hmm.v definitions/hmm.vio proofs/paths.vio proofs/linear.vio proofs/message_passing.vio proofs/refutations_numbers.vio statements/refutations.vio
proofs/refutations_hmm.vos proofs/refutations_hmm.vok proofs/refutations_hmm.required_vos: proofs/refutations_hmm.v definitions/hmm.vos proofs/paths.vos proofs/linear.vos proofs/message_passing.vos proofs/refutations_numbers.vos statements/refutations.vos
proofs/refutations_one_cell.vo proofs/refutations_one_cell.glob proofs/refutations_one_cell.v.beautified proofs/refutations_one_cell.required_vo: proofs/refutations_one_cell.v definitions/hmm.vo definitions/memory.vo proofs/paths.vo proofs/linear.vo proofs/message_passing.vo proofs/refutations_numbers.vo
proofs/refutations_one_cell.vio: proofs/refutations_one_cell.v definitions/hmm.vio definitions/memory.vio proofs/paths.vio proofs/linear.vio proofs/message_passing.vio proofs/refutations_numbers.vio
proofs/refutations_one_cell.vos proofs/refutations_one_cell.vok proofs/refutations_one_cell.required_vos: proofs/refutations_one_cell.v definitions/hmm.vos definitions/memory.vos proofs/paths.vos proofs/linear.vos proofs/message_passing.vos proofs/refutations_numbers.vos
proofs/models.vo proofs/models.glob proofs/models.v.beautified proofs/models.required_vo: proofs/models.v definitions/hmm.vo definitions/memory.vo proofs/refutations_numbers.vo proofs/refutations_hmm.vo proofs/refutations_one_cell.vo
proofs/models.vio: proofs/models.v definitions/hmm.vio definitions/memory.vio proofs/refutations_numbers.vio proofs/refutations_hmm.vio proofs/refutations_one_cell.vio
proofs/models.vos proofs/models.vok proofs/models.required_vos: proofs/models.v definitions/hmm.vos definitions/memory.vos proofs/refutations_numbers.vos proofs/refutations_hmm.vos proofs/refutations_one_cell.vos
proofs/refutations_section_3_1.vo proofs/refutations_section_3_1.glob proofs/refutations_section_3_1.v.beautified proofs/refutations_section_3_1.required_vo: proofs/refutations_section_3_1.v definitions/hmm.vo definitions/memory.vo proofs/paths.vo proofs/message_passing.vo statements/refutations.vo
proofs/refutations_section_3_1.vio: proofs/refutations_section_3_1.v definitions/hmm.vio definitions/memory.vio proofs/paths.vio proofs/message_passing.vio statements/refutations.vio
proofs/refutations_section_3_1.vos proofs/refutations_section_3_1.vok proofs/refutations_section_3_1.required_vos: proofs/refutations_section_3_1.v definitions/hmm.vos definitions/memory.vos proofs/paths.vos proofs/message_passing.vos statements/refutations.vos
proofs/refutations_c9.vo proofs/refutations_c9.glob proofs/refutations_c9.v.beautified proofs/refutations_c9.required_vo: proofs/refutations_c9.v definitions/hmm.vo definitions/memory.vo proofs/paths.vo proofs/message_passing.vo proofs/refutations_numbers.vo proofs/refutations_one_cell.vo proofs/models.vo statements/refutations.vo proofs/refutations_section_3_1.vo
proofs/refutations_c9.vio: proofs/refutations_c9.v definitions/hmm.vio definitions/memory.vio proofs/paths.vio proofs/message_passing.vio proofs/refutations_numbers.vio proofs/refutations_one_cell.vio proofs/models.vio statements/refutations.vio proofs/refutations_section_3_1.vio
proofs/refutations_c9.vos proofs/refutations_c9.vok proofs/refutations_c9.required_vos: proofs/refutations_c9.v definitions/hmm.vos definitions/memory.vos proofs/paths.vos proofs/message_passing.vos proofs/refutations_numbers.vos proofs/refutations_one_cell.vos proofs/models.vos statements/refutations.vos proofs/refutations_section_3_1.vos
proofs/refutations_beta.vo proofs/refutations_beta.glob proofs/refutations_beta.v.beautified proofs/refutations_beta.required_vo: proofs/refutations_beta.v definitions/hmm.vo definitions/memory.vo proofs/paths.vo proofs/linear.vo proofs/message_passing.vo proofs/refutations_numbers.vo proofs/refutations_hmm.vo proofs/refutations_one_cell.vo proofs/models.vo statements/refutations.vo proofs/refutations_c9.vo
proofs/refutations_beta.vio: proofs/refutations_beta.v definitions/hmm.vio definitions/memory.vio proofs/paths.vio proofs/linear.vio proofs/message_passing.vio proofs/refutations_numbers.vio proofs/refutations_hmm.vio proofs/refutations_one_cell.vio proofs/models.vio statements/refutations.vio proofs/refutations_c9.vio
proofs/refutations_beta.vos proofs/refutations_beta.vok proofs/refutations_beta.required_vos: proofs/refutations_beta.v definitions/hmm.vos definitions/memory.vos proofs/paths.vos proofs/linear.vos proofs/message_passing.vos proofs/refutations_numbers.vos proofs/refutations_hmm.vos proofs/refutations_one_cell.vos proofs/models.vos statements/refutations.vos proofs/refutations_c9.vos
proofs/refutations_needs.vo proofs/refutations_needs.glob proofs/refutations_needs.v.beautified proofs/refutations_needs.required_vo: proofs/refutations_needs.v definitions/hmm.vo proofs/refutations_numbers.vo proofs/refutations_hmm.vo proofs/models.vo statements/refutations.vo
proofs/refutations_needs.vio: proofs/refutations_needs.v definitions/hmm.vio proofs/refutations_numbers.vio proofs/refutations_hmm.vio proofs/models.vio statements/refutations.vio
proofs/refutations_needs.vos proofs/refutations_needs.vok proofs/refutations_needs.required_vos: proofs/refutations_needs.v definitions/hmm.vos proofs/refutations_numbers.vos proofs/refutations_hmm.vos proofs/models.vos statements/refutations.vos
